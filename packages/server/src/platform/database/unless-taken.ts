const UNIQUE_VIOLATION = "23505";

/** false if the change would break a unique index; the transaction can only be rolled back then. */
export const unlessTaken = async (change: () => Promise<unknown>): Promise<boolean> => {
  try {
    await change();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
};
