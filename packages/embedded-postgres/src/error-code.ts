/** The code of a system error (`ENOENT` …), or null for other errors. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** The result of `promise`, or `otherwise` if it fails with one of `codes`; other failures are rethrown. */
export async function unlessCode<T, U>(promise: Promise<T>, codes: readonly string[], otherwise: U): Promise<T | U> {
  try {
    return await promise;
  } catch (error) {
    if (codes.includes(errorCode(error) ?? "")) return otherwise;
    throw error;
  }
}
