/**
 * The result of the work, or `instead` if it takes longer (real time). The work continues; its failure is then the
 * caller's to handle.
 */
export const within = async <T, U>(work: Promise<T>, ms: number, instead: () => U): Promise<T | U> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(instead()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
