import { say } from "@curtail/words/page";
import { chooseTheme, type Theme, themes, useChosenTheme } from "../ui/theme.js";

const words: Readonly<Record<Theme, string>> = {
  auto: say("Auto", {}, "colours"),
  light: say("Light", {}, "colours"),
  dark: say("Dark", {}, "colours"),
};

/** Light, dark, or the setting of the device. */
export const ThemeChoice = () => {
  const theme = useChosenTheme();
  return (
    <fieldset className="flex rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">{say("Colours")}</legend>
      {themes.map((each) => (
        <label
          key={each}
          className="flex-1 rounded-md px-2 py-1 text-center text-xs text-muted has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={theme === each}
            onChange={() => chooseTheme(each)}
          />
          {words[each]}
        </label>
      ))}
    </fieldset>
  );
};
