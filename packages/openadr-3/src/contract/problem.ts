import Type from "typebox";

/** The body of every error. */
export const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.String(),
  status: Type.Integer({ minimum: 100, maximum: 599 }),
  detail: Type.String(),
  instance: Type.Optional(Type.String()),
});
export type Problem = Type.Static<typeof Problem>;
