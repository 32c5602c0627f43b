/**
 * The JSON shapes that the server and this client share: the one place where they are typed.
 *
 * Same names on LSP, MCP and the command line. Fields are added within a schema version, never removed;
 * unknown fields are ignored. `lines` are 1-based and closed at both ends, `range` is LSP's own
 * (0-based, half-open); both always agree.
 */

export const SCHEMA_VERSION = 1;

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Location {
  uri: string;
  range: Range;
}

export interface LineRange {
  start: number;
  end: number;
}

export type Reason = 'failure' | 'reference' | 'search' | 'mention' | 'rule' | 'open' | 'map';

export const REASONS: readonly Reason[] = ['failure', 'reference', 'search', 'mention', 'rule', 'open', 'map'];

export type Cause =
  | 'policy'
  | 'missing'
  | 'unreadable'
  | 'stale'
  | 'duplicate'
  | 'overlap'
  | 'max-items'
  | 'file-quota'
  | 'source-quota'
  | 'budget'
  | 'group';

export interface PackItem {
  id: string;
  path: string;
  uri: string;
  lines: LineRange;
  range: Range;
  content: string;
  reason: Reason;
  source: string;
  why: string;
  score: number;
  /** Tokens of the snippet as rendered. */
  cost: number;
  /** 1-based. */
  rank: number;
  contentHash: string;
  version?: number | null;
  origin: 'buffer' | 'disk';
  group?: string | null;
  parent?: string | null;
  symbol?: string | null;
  /** How many secret-looking strings were masked in `content`. */
  masked?: number;
  required?: boolean;
  parts?: Record<string, number>;
  trail?: string[];
}

export interface Omission {
  id: string;
  path: string;
  lines: LineRange;
  reason: Reason;
  source: string;
  score: number;
  cost: number | null;
  rank: number | null;
  cause: Cause;
  blockedBy?: string | null;
  /** Tokens more that would admit it. */
  needs?: number | null;
  detail?: string;
}

export interface FailureLocation {
  path: string;
  line: number;
  endLine?: number | null;
  column?: number | null;
  role: string;
  confidence: number;
  symbol?: string | null;
}

export interface Failure {
  id: string;
  message: string;
  kind: string;
  severity: string;
  code?: string | null;
  test?: string | null;
  tool: string;
  locations: FailureLocation[];
  libraryFrames: unknown[];
  /** Ids of the items that belong to it. */
  items: string[];
}

export interface SourceCount {
  found: number;
  admitted: number;
  omitted: number;
  cut: number;
}

export interface Freshness {
  revision: number;
  pendingFiles: number;
  head: string | null;
  staleDocuments: string[];
  degraded?: string[];
}

export interface ContextPack {
  schema: number;
  items: PackItem[];
  /** Item ids in reading order. */
  layout: string[];
  omitted: Omission[];
  failures: Failure[];
  /** How many failures were left out, by kind of reason. */
  failuresLeftOut?: Record<string, number>;
  used: number;
  overhead: number;
  budget: number;
  ceiling: number;
  truncated: boolean;
  missingCritical: boolean;
  missingRequired: string[];
  policy: string;
  counter: string;
  fingerprint: string;
  sources: Record<string, SourceCount>;
  unresolved: { calls: number; names: string[] };
  freshness: Freshness;
  /** Milliseconds a step. */
  timings: Record<string, number>;
  rendered?: string | null;
}

/** LSP's Diagnostic, as far as the server reads it. */
export interface Diagnostic {
  range: Range;
  message: string;
  severity?: 1 | 2 | 3 | 4;
  code?: string | number;
  source?: string;
  tags?: (1 | 2)[];
  relatedInformation?: { location: Location; message: string }[];
}

export interface DiagnosticInput {
  uri: string;
  version?: number;
  diagnostic: Diagnostic;
}

export interface FailureOutput {
  text: string;
  format?: string;
  cwd?: string;
}

export interface Mention {
  path?: string;
  symbol?: string;
  lines?: LineRange;
}

export interface BuildParams {
  diagnostics?: DiagnosticInput[];
  failureOutput?: FailureOutput[];
  task?: string;
  mentions?: Mention[];
  cursor?: { uri: string; position: Position };
  openDocuments?: string[];
  recentEdits?: { uri: string; range: Range }[];
  budget?: { maxTokens?: number; maxChars?: number; ceiling?: number; reserve?: number; maxItems?: number };
  render?: { format?: 'markdown' | 'xml' | 'json' | 'none'; lineNumbers?: boolean };
  policy?: string;
  include?: string[];
  exclude?: string[];
  includeWarnings?: boolean;
  explain?: boolean;
  workDoneToken?: string | number;
}

export interface MapParams {
  focus?: string[];
  mentions?: Mention[];
  budget?: { maxTokens?: number };
}

export interface MapResult {
  rendered: string;
  used: number;
  budget: number;
}

export interface SearchParams {
  query: string;
  limit?: number;
}

export interface SearchHit {
  path: string;
  uri: string;
  lines: LineRange;
  range: Range;
  score: number;
  symbol?: string | null;
  /** The lines that match, 1-based, with their text. */
  matches: { line: number; text: string }[];
}

export interface SearchResult {
  hits: SearchHit[];
  truncated?: boolean;
}

export interface RelatedParams {
  symbol?: string;
  path?: string;
  lines?: LineRange;
  limit?: number;
}

export interface RelatedItem {
  path: string;
  uri: string;
  lines: LineRange;
  range: Range;
  relation: string;
  symbol?: string | null;
  why?: string;
}

export interface RelatedResult {
  items: RelatedItem[];
}

export interface ExpandParams {
  id?: string;
  path?: string;
  lines?: LineRange;
}

export interface ExpandResult {
  path: string;
  uri: string;
  lines: LineRange;
  range: Range;
  content: string;
  contentHash: string;
  symbol?: string | null;
}

export interface StatusResult {
  roots: { name: string; path: string }[];
  /** starting, scanning, indexing or ready. */
  phase: string;
  files: number;
  pendingFiles: number;
  symbols: number;
  languages: Record<string, number>;
  revision: number;
  head: string | null;
  memoryBytes: number;
  queue: { waiting: number; running: number };
  quarantined: { path: string; reason: string }[];
  skippedCounts: Record<string, number>;
  degraded: string[];
  problems: string[];
  lastError: string | null;
}

export interface ExplainParams {
  path?: string;
  uri?: string;
  /** Of one of the packs built last; without it the last pack. */
  fingerprint?: string;
  line?: number;
  symbol?: string;
}

export interface ExplainResult {
  verdict: string;
  explanation: string;
}

/** What `context/statusChanged` carries: how far indexing is, in files. */
export interface StatusChanged {
  /** scanning, indexing or ready. */
  state: string;
  /** Files indexed so far. */
  files: number;
  pendingFiles: number;
  revision: number;
}

export interface VerifyParams {
  items: { id: string; path: string; lines: LineRange; contentHash: string }[];
}

export interface VerifyResult {
  valid: boolean;
  items: {
    id: string;
    path: string;
    state: 'same' | 'moved' | 'changed' | 'missing' | 'denied';
    /** Where the text stands now. */
    now: LineRange | null;
  }[];
}

export interface ResolveDefinitionParams {
  positions: { uri: string; position: Position }[];
  deadlineMs?: number;
}

export interface ResolveDefinitionResult {
  /** One entry a position, in the same order; empty where nothing was found in time. */
  definitions: { provider: string; locations: Location[] }[];
}

export interface ApplyEditsParams {
  edits: string;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

/** LSP's WorkspaceEdit, with versions. */
export interface WorkspaceEdit {
  documentChanges?: (
    | { textDocument: { uri: string; version: number | null }; edits: TextEdit[] }
    | { kind: 'create'; uri: string; options?: { overwrite?: boolean; ignoreIfExists?: boolean } }
  )[];
  changes?: Record<string, TextEdit[]>;
}

export interface ApplyEditsResult {
  edit: WorkspaceEdit;
  files?: string[];
}
