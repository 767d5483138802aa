import Type, { type Static } from "typebox";
import { string } from "../values.js";

/** Body of every error; `type` is the name of the HTTP status (G2). */
export const ErrorReply = Type.Object(
  {
    message: string(
      "What is wrong, where, and how to correct it. For people: the wording may change.",
      "telemetry[3].interval_seconds is 45; it must be divisible by 30",
    ),
    type: Type.Enum(["Bad Request", "Unauthorized", "Not Found", "Too Many Requests", "Internal Server Error"], {
      description: "Name of the HTTP status.",
    }),
  },
  { $id: "Error", description: "An error." },
);
export type ErrorReply = Static<typeof ErrorReply>;

/**
 * Body of a 409, which only operators and users get: the outcome of the first of two identical requests is unknown
 * (G57).
 */
export const ConflictReply = Type.Object(
  {
    message: string(
      "What is not known, and what to do about it.",
      "it is not known whether the request with this Idempotency-Key was carried out; check, then use another key",
    ),
    type: Type.Literal("Conflict", { description: "Name of the HTTP status." }),
  },
  {
    $id: "ConflictError",
    description: "The outcome of an earlier request with the same Idempotency-Key is not known.",
  },
);
export type ConflictReply = Static<typeof ConflictReply>;
