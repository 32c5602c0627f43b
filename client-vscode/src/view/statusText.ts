/** What `Show Status` shows. Pure. */
import type { StatusResult } from '../protocol';

/** The status as Markdown. */
export function statusText(server: { state: string; command?: { note: string } }, status: StatusResult | undefined): string {
  const lines = ['# Repo Context status', '', `- Server: ${server.state}${server.command ? `, ${server.command.note}` : ''}`];
  if (status !== undefined) {
    const languages = Object.entries(status.languages).sort(([, a], [, b]) => b - a);
    lines.push(
      `- Files: ${status.files}, symbols: ${status.symbols}, revision ${status.revision}`,
      `- Languages: ${languages.map(([name, files]) => `${name} ${files}`).join(', ') || 'none'}`,
      `- Index: ${status.phase}, ${status.pendingFiles} files still to be indexed`,
      `- Memory: ${Math.round(status.memoryBytes / 1_000_000)} MB, requests waiting: ${status.queue.waiting}`,
      `- Last error: ${status.lastError ?? 'none'}`,
      ...status.problems.map((problem) => `- Problem: ${problem}`),
      '',
    );
    if (status.quarantined.length > 0) {
      lines.push('## Files set aside', '', ...status.quarantined.map((one) => `- ${one.path}: ${one.reason}`), '');
    }
    lines.push('```json', JSON.stringify(status, null, 2), '```');
  }
  return `${lines.join('\n')}\n`;
}
