export const TOTP_STEP_SECONDS = 30;

/**
 * The steps whose code is accepted now: the current one and its neighbours, for clocks that differ. A code is accepted
 * only once, so none at or before the last used step.
 */
export const acceptedSteps = (now: Date, lastStep: number | null): readonly number[] => {
  const step = Math.floor(now.getTime() / 1000 / TOTP_STEP_SECONDS);
  return [step - 1, step, step + 1].filter((each) => lastStep === null || each > lastStep);
};

export const RECOVERY_CODES = 10;

/** The significant characters of a code: people type spaces, hyphens and capitals as they like. */
export const plainCode = (code: string): string => code.toLowerCase().replaceAll(/[^0-9a-z]/g, "");
