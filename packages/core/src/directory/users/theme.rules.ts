/** The colours of the web pages by `theme_id`: those of the browser unless a user prefers others. */
export const themes = { auto: 1, light: 3, dark: 11 } as const
export type Theme = keyof typeof themes

/** The theme of an id; ids that existing clients know besides are those of other designs. */
export function themeOf(id: number): Theme {
  if (id === themes.light) return 'light'
  return id === themes.dark ? 'dark' : 'auto'
}
