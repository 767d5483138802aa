/** 0: normal operation, 1: moderate, 2: high, 3: emergency load shed. */
export type SimpleLevel = 0 | 1 | 2 | 3;

/** What the grid loses if sites do not follow, by type of program. */
const SEVERITIES: Readonly<Record<string, SimpleLevel>> = {
  // Reserves are activated when generation or a line is lost, with minutes of notice.
  ancillary_services: 3,
  // Contracted for times when supply would not suffice.
  capacity: 2,
  utility_interruptible_rate: 2,
};
/** Economic and voluntary programs: not following costs money. */
const MODERATE = 1;
const HIGH = 2;

/**
 * The SIMPLE level of a program's dispatches. It rises with severity. The signal level of OpenADR 2.0a is another
 * scale: it tells short events from long ones. But an operator who sets 1 there asks for aggressive curtailment, so
 * that such a program is at least high.
 */
export const simpleLevelOf = ({ programType, signalLevel }: { programType: string; signalLevel: 1 | 2 | null }) => {
  const level = SEVERITIES[programType] ?? MODERATE;
  return signalLevel === 1 && level < HIGH ? HIGH : level;
};
