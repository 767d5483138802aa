import Type, { type Static } from "typebox";

/** Every error of the interface: `type` is the name of the HTTP status (G2). */
export const ErrorReply = Type.Object(
  {
    message: Type.String({ description: "What was wrong, where, and what to do about it." }),
    type: Type.Enum(["Bad Request", "Unauthorized", "Not Found", "Too Many Requests", "Internal Server Error"]),
  },
  { $id: "Error" },
);
export type ErrorReply = Static<typeof ErrorReply>;

/** What operators and people are answered where a repeated request's outcome is not known; no participant's system is. */
export const ConflictReply = Type.Object(
  {
    message: Type.String({ description: "What is not known, and what to do about it." }),
    type: Type.Literal("Conflict"),
  },
  { $id: "ConflictError" },
);
export type ConflictReply = Static<typeof ConflictReply>;
