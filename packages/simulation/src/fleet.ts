import { noiseAt } from "./load/noise.js";
import type { Response } from "./load/response.js";
import { places } from "./places.js";
import { type Portfolio, portfolios } from "./portfolios.js";
import type { SiteSpec } from "./site-spec.js";

/** A site that does not respond to dispatches. */
const IGNORING = "PM-5";

/** The first `count` sites of the fleet, of all kinds as soon as there are enough. */
export const fleetOf = (count: number): readonly SiteSpec[] => {
  const longest = Math.max(...portfolios.map(({ names }) => names.length));
  return Array.from({ length: longest }, (_, at) => at)
    .flatMap((at) => portfolios.flatMap((portfolio) => siteOf(portfolio, at)))
    .slice(0, count);
};

/** The whole fleet: as many sites as there are names. */
export const FLEET_SITES = portfolios.reduce((sum, { names }) => sum + names.length, 0);

const siteOf = (portfolio: Portfolio, at: number): SiteSpec[] => {
  const name = portfolio.names[at];
  if (name === undefined) return [];
  const code = `${portfolio.code}-${at + 1}`;
  const seed = portfolios.indexOf(portfolio) * 100 + at + 1;
  const size = 1 + 0.35 * noiseAt(seed, 1);
  const meters = portfolio.meters(size, at);
  const isSolarAlone = meters.every(({ kind }) => kind === "solar");
  return [
    {
      code,
      account: portfolio.account,
      name,
      group: portfolio.group,
      timezone: portfolio.timezone,
      place: places[name] ?? null,
      seed,
      meters,
      // Solar generation alone cannot be dispatched.
      programs: isSolarAlone ? [] : portfolio.programs,
      commitmentKw: isSolarAlone ? 0 : Math.round((portfolio.commitmentKw * size) / 5) * 5,
      response: responseOf(portfolio, code, seed),
      rebounds: portfolio.rebounds === true,
    },
  ];
};

/** Most deliver about what they committed, one in six clearly less. */
const responseOf = ({ delaySeconds, rampSeconds }: Portfolio, code: string, seed: number): Response => {
  const pace = 1 + 0.5 * noiseAt(seed, 2);
  const usual = 1.02 + 0.12 * noiseAt(seed, 3);
  const isShort = noiseAt(seed, 4) < -0.66;
  return {
    delaySeconds: Math.round(delaySeconds * pace),
    rampSeconds: Math.round(rampSeconds * pace),
    delivers: code === IGNORING ? 0 : isShort ? 0.55 : usual,
  };
};
