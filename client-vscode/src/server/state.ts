/** States of the server process as users see them. */
export type ServerState = 'stopped' | 'starting' | 'running' | 'restarting' | 'missing' | 'failed';
