import Type from "typebox";
import { DateTime, Duration, int32 } from "./values.js";
import { ValuesMap } from "./values-map.js";

/** When an interval is, or a series of them. */
export const IntervalPeriod = Type.Object({
  start: Type.Optional(DateTime),
  duration: Type.Optional(Duration),
  randomizeStart: Type.Optional(Duration),
});
export type IntervalPeriod = Type.Static<typeof IntervalPeriod>;

export const Interval = Type.Object({
  id: int32("Number that the client gave the interval."),
  intervalPeriod: Type.Optional(IntervalPeriod),
  payloads: Type.Array(ValuesMap),
});
export type Interval = Type.Static<typeof Interval>;
