export { createStore } from "./store";
export { persist } from "./persist";
