import type { AgentConfig, SiteConfig } from "../config/config.js";
import { formatDuration } from "../config/duration.js";
import type { Cause, Phase } from "../control/site-control.js";
import { outputFindings } from "./output-findings.js";
import type { AskedDispatch, Played } from "./played.js";

/** A time in which a site stayed in one phase for one cause. */
interface Stay {
  readonly phase: Phase;
  readonly cause: Cause;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Settings that the day shows to be dangerous, or to have no effect; in words, the site first. */
export const findingsOf = (config: AgentConfig, played: Played): readonly string[] =>
  config.sites.flatMap((site) => {
    const stays = staysOf(site, played);
    const findings = [
      ...played.asked.flatMap((asked) => dispatchFindings(site, asked, stays)),
      ...lossFindings(site, stays, played),
      ...outputFindings(site, played),
      ...meterFindings(site, played),
    ];
    return findings.map((text) => `${site.name}: ${text}`);
  });

const staysOf = ({ name }: SiteConfig, { entries, day }: Played): readonly Stay[] => {
  const changes = entries.filter((entry) => entry.kind === "site").filter(({ site }) => site === name);
  return changes.map(({ phase, cause, atMs }, index) => {
    return { phase, cause, fromMs: atMs, toMs: changes[index + 1]?.atMs ?? day.toMs };
  });
};

/** How long a site stayed for a cause within a time. */
const lastedMs = (stays: readonly Stay[], cause: Cause, fromMs: number, toMs: number): number =>
  stays
    .filter((stay) => stay.cause === cause)
    .reduce((sum, stay) => sum + Math.max(0, Math.min(stay.toMs, toMs) - Math.max(stay.fromMs, fromMs)), 0);

const dispatchFindings = (
  { control }: SiteConfig,
  { id, startMs, endMs }: AskedDispatch,
  stays: readonly Stay[],
): readonly string[] => {
  const during = (cause: Cause) => lastedMs(stays, cause, startMs, endMs);
  const [lostMs, heldOffMs, spentMs] = [during("contact lost"), during("minimum off time"), during("maximum on time")];
  const after = stays.find(({ cause, fromMs }) => cause === "minimum on time" && fromMs === endMs);
  const { contact, minimumOffMs, minimumOnMs, maximumOnMs } = control;
  return [
    ...(lostMs === 0
      ? []
      : [
          `left the ${id} dispatch for ${formatDuration(lostMs)} of it, because contact was lost for \`lost_after\` ${formatDuration(contact.lostAfterMs)} and \`after\` ${formatDuration(contact.afterMs)}; a loss of contact ends a curtailment`,
        ]),
    ...(heldOffMs === 0
      ? []
      : [
          `curtailed ${formatDuration(heldOffMs)} too late in the ${id} dispatch: \`minimum_off\` is ${formatDuration(minimumOffMs)}`,
        ]),
    ...(spentMs === 0
      ? []
      : [
          `rested for ${formatDuration(spentMs)} of the ${id} dispatch: \`maximum_on\` is ${formatDuration(maximumOnMs ?? 0)}`,
        ]),
    ...(after === undefined
      ? []
      : [
          `curtailed on for ${formatDuration(after.toMs - after.fromMs)} after the ${id} dispatch had ended: \`minimum_on\` is ${formatDuration(minimumOnMs)}`,
        ]),
  ];
};

/** A loss of contact that changed nothing, though something should happen. */
const lossFindings = (
  { control: { contact } }: SiteConfig,
  stays: readonly Stay[],
  { day }: Played,
): readonly string[] => {
  const [lost, back] = [false, true].map(
    (isThere) => day.events.find(({ act }) => act.kind === "contact" && act.isThere === isThere)?.atMs ?? day.toMs,
  );
  const isActedOn = stays.some(({ cause }) => cause === "contact lost");
  if (contact.action === "keep" || isActedOn || lost === undefined || back === undefined) return [];
  const afterMs = contact.lostAfterMs + contact.afterMs;
  return [
    `\`contact.action: ${contact.action}\` did not come: contact was lost for ${formatDuration(back - lost)}, and it comes after ${formatDuration(afterMs)}`,
  ];
};

const meterFindings = ({ name }: SiteConfig, { meters }: Played): readonly string[] =>
  meters
    .filter(({ site, sent, kept }) => site === name && sent + kept === 0)
    .map(({ meter, missing }) => {
      const [why = "no interval ended"] = Object.keys(missing).toSorted(
        (a, b) => (missing[b] ?? 0) - (missing[a] ?? 0),
      );
      return `the meter ${meter} had no reading: ${why}`;
    });
