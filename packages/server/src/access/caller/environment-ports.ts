import type { Environment } from "../domain/api-key.js";

/** Ports of production, and the same ports of the sandbox. */
export type BothEnvironments<P> = P & { readonly sandbox: { readonly ports: P } };

/** The ports of the requested environment; production by default. */
export const portsOf = <P>(
  ports: BothEnvironments<P>,
  { environment }: { readonly environment?: Environment | undefined },
): P => (environment === "sandbox" ? ports.sandbox.ports : ports);

/** For `serveOnce`: the ports of the environment that a request names. */
export const inEnvironment =
  <P>(ports: BothEnvironments<P>) =>
  ({ query }: { readonly query: { readonly environment?: Environment | undefined } }): P =>
    portsOf(ports, query);
