/** The custom requests of the server, typed. A typed `RequestType` sends params as an object, never as `[params, null]`. */
import { NotificationType, RequestType } from 'vscode-languageclient/node';
import type * as wire from './protocol';

export const Build = new RequestType<wire.BuildParams, wire.ContextPack, void>('context/build');
export const RepoMap = new RequestType<wire.MapParams, wire.MapResult, void>('context/map');
export const Search = new RequestType<wire.SearchParams, wire.SearchResult, void>('context/search');
export const Related = new RequestType<wire.RelatedParams, wire.RelatedResult, void>('context/related');
export const Expand = new RequestType<wire.ExpandParams, wire.ExpandResult, void>('context/expand');
export const Explain = new RequestType<wire.ExplainParams, wire.ExplainResult, void>('context/explain');
export const Verify = new RequestType<wire.VerifyParams, wire.VerifyResult, void>('context/verify');
export const Status = new RequestType<object, wire.StatusResult, void>('context/status');
export const Reindex = new RequestType<object, unknown, void>('context/reindex');
export const ApplyEdits = new RequestType<wire.ApplyEditsParams, wire.ApplyEditsResult, void>('context/applyEdits');
export const ResolveDefinition = new RequestType<wire.ResolveDefinitionParams, wire.ResolveDefinitionResult, void>(
  'context/resolveDefinition',
);
export const StatusChanged = new NotificationType<wire.StatusChanged>('context/statusChanged');
