import type { CreatedEvent } from "./created-event.js";
import type { DistributeEvent } from "./distribute-event.js";
import type { RequestEvent } from "./request-event.js";
import type { Response } from "./response.js";

/** Any message of OpenADR 2.0a, distinguished by `kind`. */
export type Message = RequestEvent | DistributeEvent | CreatedEvent | Response;
