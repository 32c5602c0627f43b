/** A path as a glob that matches it alone. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}!\\]/g, '[$&]');
}
