import type { SiteSpec } from "./site-spec.js";

/** One site for a first test: its load is even at any hour, and it delivers what it committed within two minutes. */
export const firstSite = (timezone: string): SiteSpec => ({
  code: "SIM-1",
  account: "Simulated participant",
  name: "Simulated site 1",
  group: "simulated",
  timezone,
  place: null,
  seed: 1001,
  meters: [{ name: "main", kind: "process", peakKw: 160, sheds: true }],
  programs: ["peak"],
  commitmentKw: 120,
  response: { delaySeconds: 15, rampSeconds: 105, delivers: 0.99 },
  rebounds: false,
});
