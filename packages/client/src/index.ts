export { type CallByPath, callByPath, type EndpointAt, type PathOf } from "./by-path.js";
export { type CallInput, type CallOptions, type InputArguments, requestPath } from "./call-input.js";
export { type Client, type ClientOptions, createClient } from "./client.js";
export { ErrorResponse, errorResponse, NoResponse } from "./failure.js";
export { basePaths, operatorClient, participantClient } from "./interfaces.js";
export { type ClientSettings, claimKey, redeemLink } from "./links.js";
