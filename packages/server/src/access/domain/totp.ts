export const TOTP_STEP_SECONDS = 30;

/**
 * The steps whose code is taken now: this one, the one before and the one after, for clocks that differ. A code is taken
 * once, so none at or before the last step that was used.
 */
export const acceptedSteps = (now: Date, lastStep: number | null): readonly number[] => {
  const step = Math.floor(now.getTime() / 1000 / TOTP_STEP_SECONDS);
  return [step - 1, step, step + 1].filter((each) => lastStep === null || each > lastStep);
};
