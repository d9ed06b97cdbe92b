/** The user's columns that requests need; they come with the token look-up. */
export interface CallerUser {
  id: number
  username: string
  name: string
  email: string
  admin: boolean
  external: boolean
  canCreateGroup: boolean
  projectsLimit: number
  mustChangePassword: boolean
  /** When the terms that the user accepted last were written; null for none. */
  acceptedTermsVersion: number | null
  /** The colours of the pages, as `theme_id`. */
  themeId: number
}
