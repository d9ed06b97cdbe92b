import type { OAuthScope } from '@stithy/core'
import { scopeTexts as tokenScopeTexts } from '../sign-in/scope-choices.ts'

/** What each scope of an application allows. */
export const scopeTexts: Readonly<Record<OAuthScope, string>> = {
  ...tokenScopeTexts,
  profile: 'reading your name and username',
  email: 'reading your e-mail address',
}
