import { useState } from "react";

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const chosen = (): Theme => themes.find((theme) => theme === localStorage.getItem("theme")) ?? "auto";

const choose = (theme: Theme): void => {
  localStorage.setItem("theme", theme);
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};

/** Light, dark, or the setting of the device; `public/theme.js` reads the choice before the first paint. */
export const ThemeChoice = () => {
  const [theme, setTheme] = useState(chosen);
  return (
    <fieldset className="flex rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">Colours</legend>
      {themes.map((each) => (
        <label
          key={each}
          className="flex-1 rounded-md px-2 py-1 text-center text-xs text-muted capitalize has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={theme === each}
            onChange={() => {
              choose(each);
              setTheme(each);
            }}
          />
          {each}
        </label>
      ))}
    </fieldset>
  );
};
