import Type from "typebox";
import { PayloadType } from "./values.js";

const Point = Type.Object({ x: Type.Number(), y: Type.Number() }, { description: "A pair of numbers." });

/** Values of one type. */
export const ValuesMap = Type.Object({
  type: PayloadType,
  values: Type.Array(Type.Union([Type.Number(), Type.String(), Type.Boolean(), Point]), {
    description: "The values; most often one.",
  }),
});
export type ValuesMap = Type.Static<typeof ValuesMap>;

export const Attributes = Type.Array(ValuesMap, { description: "What else is known of an object." });
