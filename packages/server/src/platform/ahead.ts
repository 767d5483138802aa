/** Every item of a source of pieces; the next piece is read while the items of one are used, and no more than that. */
export async function* eachOfAhead<T>(pieces: AsyncGenerator<readonly T[]>): AsyncGenerator<T> {
  const read = () => {
    const piece = pieces.next();
    // The error is thrown when the piece is awaited; unhandled until then, it would end the process.
    piece.catch(() => {});
    return piece;
  };
  try {
    for (let piece = read(); ; ) {
      const { done, value } = await piece;
      if (done === true) return;
      piece = read();
      yield* value;
    }
  } finally {
    await pieces.return(undefined);
  }
}
