import { notFound, type Refusal, type Result } from "../../../platform/refusal.js";
import type { Program } from "../../../portfolio/domain/program.js";
import { refusePreset } from "../../../portfolio/operations/baseline-method.js";
import type { PortfolioStores } from "../../../portfolio/operations/portfolio-stores.js";
import type { MeasurementPorts } from "../measurement-ports.js";
import { type MethodTrial, type TrialMethod, type TrialSettings, triedMethods } from "./method-trials.js";

/** Which methods to try at a site. */
export interface TrialQuestion extends TrialSettings {
  readonly siteId: string;
  readonly programId: string;
  /** Presets to try; if there are none, the setting by which dispatches of the program measure the site. */
  readonly presets: readonly string[];
}

export interface SiteTrials {
  readonly siteId: string;
  readonly programId: string;
  readonly timezone: string;
  readonly methods: readonly MethodTrial[];
}

interface TrialPorts extends MeasurementPorts {
  readonly stores: Pick<PortfolioStores, "programs">;
}

/** Tries baseline methods on days of a site without a dispatch, where the load shows what the baseline should be (M17). */
export type TryMethods = (question: TrialQuestion) => Promise<Result<SiteTrials>>;

export const tryMethods =
  (ports: TrialPorts): TryMethods =>
  async (question) => {
    const { siteId, programId, presets } = question;
    const refusal = refusePresets(presets);
    if (refusal !== null) return refusal;
    const site = await ports.reader.findSite(siteId);
    if (site === null) return notFound("site");
    const program = await ports.stores.programs.find(programId);
    if (program === null) return notFound("program");
    const methods = await methodsOf(ports, question, program);
    const tried = await triedMethods(ports, { settings: question, program, site, methods });
    return { siteId, programId, timezone: program.timezone, methods: tried };
  };

const refusePresets = (presets: readonly string[]): Refusal | null =>
  presets.map((preset) => refusePreset(preset, "preset")).find((refusal) => refusal !== null) ?? null;

const methodsOf = async (
  { stores }: TrialPorts,
  { presets, programId, siteId }: TrialQuestion,
  { baseline }: Program,
): Promise<TrialMethod[]> => {
  if (presets.length > 0) return presets.map((preset) => ({ preset, setting: { preset } }));
  const enrolment = await stores.programs.findEnrolment(programId, siteId);
  return [{ preset: null, setting: enrolment?.baseline ?? baseline }];
};
