/** Throws where settings of the service are given: the demo makes its own, and would leave these unheeded. */
export const refuseSettings = (environment: NodeJS.ProcessEnv): void => {
  const given = Object.keys(environment).filter((name) => name.startsWith("CURTAIL_") || name === "DATABASE_URL");
  if (given.length === 0) return;
  throw new Error(
    `the demo makes the settings of its service itself: unset ${given.toSorted().join(" ")}; its own are options, see --help`,
  );
};
