import { getRouteApi } from "@tanstack/react-router";
import { EnvironmentField, type EnvironmentName } from "../../../parts/environment.js";

const route = getRouteApi("/operations/openadr3");

/** The environment of the programs and events in the list; the sandbox has its own. */
export const EnvironmentFilter = ({ environment }: { readonly environment: EnvironmentName }) => {
  const navigate = route.useNavigate();
  return (
    <EnvironmentField
      value={environment}
      // A program belongs to one environment.
      onChange={(to) =>
        void navigate({
          search: ({ tab, state }) => ({ ...(tab && { tab }), ...(state && { state }), environment: to }),
        })
      }
    />
  );
};
