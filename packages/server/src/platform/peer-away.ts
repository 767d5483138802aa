/** Another service that a request depends on cannot be asked now; the same request may succeed soon. */
export class PeerAway extends Error {}

/** Names who is away if `ask` fails. */
export const askingPeer = async <T>(name: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    throw new PeerAway(`${name} cannot be reached`, { cause: error });
  }
};
