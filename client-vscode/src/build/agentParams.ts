/** What an agent asked for, as params of a build. Pure. */
import type { BuildParams } from '../protocol';

/** Input of the tool `repoContext_buildContext`; its schema is in package.json. */
export interface BuildInput {
  failureOutput?: string;
  task?: string;
  paths?: string[];
  symbols?: string[];
  useProblems?: boolean;
  maxTokens?: number;
}

/** Params of a build for an agent; the editor's problems when it names nothing else. */
export function buildParams(input: BuildInput, problems: () => BuildParams | undefined): BuildParams | undefined {
  const mentions = [...(input.paths ?? []).map((path) => ({ path })), ...(input.symbols ?? []).map((symbol) => ({ symbol }))];
  const named: BuildParams = {
    ...(input.failureOutput?.trim() ? { failureOutput: [{ text: input.failureOutput }] } : {}),
    ...(input.task?.trim() ? { task: input.task } : {}),
    ...(mentions.length > 0 ? { mentions } : {}),
  };
  const wantsProblems = input.useProblems ?? Object.keys(named).length === 0;
  const params = { ...named, ...(wantsProblems ? problems() : {}) };
  if (Object.keys(params).length === 0) {
    return undefined;
  }
  return input.maxTokens === undefined ? params : { ...params, budget: { maxTokens: input.maxTokens } };
}
