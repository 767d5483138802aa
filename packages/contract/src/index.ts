export * as auth from "./auth/index.js";
export { BASE_PATHS } from "./base-paths.js";
export * as participantConsole from "./console-v1/index.js";
export { datedDocument } from "./dated-document.js";
export { datedEndpoint, MAX_NUMBER } from "./dated-endpoint.js";
export { type DatedVersion, sentenceWordingOf, type Wording, wordingOf } from "./dated-version.js";
export { datedVersions } from "./dated-versions.js";
export {
  authDocument,
  consoleDocument,
  operatorDocument,
  participantDocument,
  referencePaths,
  sandboxDocument,
} from "./documents.js";
export type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf, TypedEndpoint } from "./endpoint.js";
export * as operator from "./operator-v1/index.js";
export {
  type FoundId,
  idsIn,
  type Sayings,
  sentencesIn,
  type Translation,
  translated,
  translationOf,
} from "./translation.js";
export * from "./v2022-04-15/index.js";
export { type Identified, identified, prefixOf } from "./values.js";
