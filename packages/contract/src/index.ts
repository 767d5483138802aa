export * as auth from "./auth/index.js";
export { BASE_PATHS } from "./base-paths.js";
export * as participantConsole from "./console-v1/index.js";
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
export * from "./v2022-04-15/index.js";
