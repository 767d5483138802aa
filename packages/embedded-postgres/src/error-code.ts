/** The code of a system error (`ENOENT` …), or null when it is another kind of error. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** What `promise` gives, or `otherwise` when it fails with one of `codes`; every other failure passes through. */
export async function unlessCode<T, U>(promise: Promise<T>, codes: readonly string[], otherwise: U): Promise<T | U> {
  try {
    return await promise;
  } catch (error) {
    if (codes.includes(errorCode(error) ?? "")) return otherwise;
    throw error;
  }
}
