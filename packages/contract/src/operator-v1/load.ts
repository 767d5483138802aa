import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { dispatchEnd, dispatchStart, isTest } from "../v2022-04-15/dispatch.js";
import { id, integer, moment, nullable, number, programName } from "../values.js";

/** Of a bucket of the portfolio's load. */
export const LOAD_INTERVAL_SECONDS = 300;
/** How far back the load may start: a local day with a change of the clock. */
export const LOAD_HOURS = 25;

export const PortfolioLoad = Type.Object(
  {
    as_of: moment("When this was computed."),
    interval_seconds: integer("Length of an interval in seconds.", LOAD_INTERVAL_SECONDS),
    points: Type.Array(
      Type.Object(
        {
          timestamp: moment("End of the interval."),
          load_kw: nullable(
            number(
              "Sum of the meters' mean power in kW; null without any. Of a site with meters at its point of interconnection, or with named ones, only those count.",
              48210,
            ),
          ),
          meters: integer("Number of meters in the sum.", 138),
        },
        { description: "An interval." },
      ),
      { description: "Complete intervals since `start`, oldest first." },
    ),
    dispatches: Type.Array(
      Type.Object(
        {
          id: id("dispatch"),
          program_name: programName,
          test: isTest,
          start_time: dispatchStart,
          end_time: dispatchEnd,
        },
        { description: "A dispatch." },
      ),
      { description: "Dispatches of the period that are not cancelled, at most 50, earliest start first." },
    ),
  },
  { $id: "PortfolioLoad", description: "The load of all sites over the last hours." },
);
export type PortfolioLoad = Static<typeof PortfolioLoad>;

export const getPortfolioLoad = endpoint({
  id: "getPortfolioLoad",
  method: "GET",
  path: "/load",
  tag: "Overview",
  summary: "Retrieve the load of all sites over the last hours",
  description: `Returns the sum of all meters of accounts that are not disabled, in intervals of 5 minutes. A meter without a reading in an interval counts with the one before, for up to 15 minutes. Late readings appear within 5 minutes.`,
  query: Type.Object({
    start: Type.Optional(
      moment(`Start of the first interval, at most ${LOAD_HOURS} hours ago. Default: 24 hours ago.`, "created"),
    ),
  }),
  reply: PortfolioLoad,
});
