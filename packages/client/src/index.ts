export { type CallInput, type CallOptions, requestPath } from "./call-input.js";
export { type Client, type ClientOptions, createClient } from "./client.js";
export { ErrorResponse, errorResponse, NoResponse } from "./failure.js";
export { basePaths, operatorClient, participantClient } from "./interfaces.js";
