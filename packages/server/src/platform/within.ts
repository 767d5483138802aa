/**
 * What the work comes to, or `instead` where that takes longer, in real time. The work goes on; its failure is then its
 * caller's.
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
