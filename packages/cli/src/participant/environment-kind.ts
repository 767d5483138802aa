import { ErrorResponse, type Participant } from "@curtail/client";

/** Whether the service carries out scenarios, which only a sandbox does. */
export const environmentOf = async (
  participant: Pick<Participant, "listScenarios">,
): Promise<"sandbox" | "production"> => {
  try {
    await participant.listScenarios();
    return "sandbox";
  } catch (error) {
    if (error instanceof ErrorResponse && error.status === 404) return "production";
    throw error;
  }
};
