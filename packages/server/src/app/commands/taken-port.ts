import { type Config, variablesOfPort } from "../../platform/runtime/config.js";

/** Listens; if a port is taken, the error names the setting of that port. */
export const namingPorts = async <Listened>(config: Config, listen: () => Promise<Listened>): Promise<Listened> => {
  try {
    return await listen();
  } catch (error) {
    throw takenPort(config, error) ?? error;
  }
};

const takenPort = (config: Config, error: unknown): Error | null => {
  const { code, port } = error as { readonly code?: unknown; readonly port?: unknown };
  if (code !== "EADDRINUSE" || typeof port !== "number") return null;
  const variables = variablesOfPort(config, port);
  const words =
    variables.length > 1
      ? `${variables.join(" and ")} name the same port, ${port}; set them to different ports`
      : `port ${port} is taken by another program; stop it, or set ${variables.join()} to another port`;
  return new Error(words, { cause: error });
};
