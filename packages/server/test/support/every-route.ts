import type { ErrorStatus } from "./expect-error.js";
import type { Answer } from "./http-client.js";

interface Route {
  readonly method: string;
  readonly path: string;
}

type Refused = Pick<Answer, "status" | "text" | "body">;

/** Asks once at each route; lists the answers that are not this refusal. */
export const notRefused = async <Each extends Route>(
  routes: readonly Each[],
  ask: (route: Each) => Promise<Refused>,
  refusal: { readonly status: ErrorStatus; readonly message: RegExp },
): Promise<readonly string[]> => {
  const others: string[] = [];
  for (const route of routes) {
    const { status, body, text } = await ask(route);
    if (status !== refusal.status || !refusal.message.test(body?.message ?? ""))
      others.push(`${route.method} ${route.path}: ${status} ${text.slice(0, 200)}`);
  }
  return others;
};
