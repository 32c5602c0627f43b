/** What the status bar says. Pure. */
import type { ContextPack, StatusChanged } from '../protocol';
import type { ServerState } from '../server/state';
import { number } from './nodes';

export interface StatusBarText {
  text: string;
  tooltip: string;
  warns: boolean;
}

const STATE_TEXT: Record<Exclude<ServerState, 'running'>, [text: string, tooltip: string]> = {
  stopped: ['$(layers) Context: off', 'The Repo Context server is not running'],
  starting: ['$(sync~spin) Context', 'The Repo Context server is starting'],
  restarting: ['$(sync~spin) Context', 'The Repo Context server stopped and starts again'],
  missing: ['$(warning) Context: no server', 'The Repo Context server was not found'],
  failed: ['$(error) Context: stopped', 'The Repo Context server stopped too often'],
};

export function statusBarText(
  state: ServerState,
  status: StatusChanged | undefined,
  pack: ContextPack | undefined,
  stale: number,
): StatusBarText {
  if (state !== 'running') {
    const [text, tooltip] = STATE_TEXT[state];
    return { text, tooltip, warns: state === 'missing' || state === 'failed' };
  }
  const say = (text: string, tooltip: string): StatusBarText => ({ text, tooltip, warns: false });
  if (status !== undefined && status.state !== 'ready') {
    const { files, pendingFiles } = status;
    return pendingFiles === 0
      ? say('$(sync~spin) Context', 'Looking for the files of the workspace')
      : say(`$(sync~spin) Context: indexing ${number(pendingFiles)}`, `${number(pendingFiles)} of ${number(files + pendingFiles)} files are still to be indexed`);
  }
  if (pack === undefined) {
    return say('$(layers) Context', status === undefined ? 'Repo Context: ready' : `Repo Context: ${number(status.files)} files indexed`);
  }
  if (stale > 0) {
    return say('$(layers) Context: stale', `${stale} of ${pack.items.length} items have changed since the build`);
  }
  const items = pack.items.length === 1 ? '1 item' : `${pack.items.length} items`;
  return say(`$(layers) Context: ${number(pack.used)} tokens`, `${items}, ${number(pack.used)} of ${number(pack.budget)} tokens, as built`);
}
