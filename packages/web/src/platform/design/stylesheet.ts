import { avatarStyle } from './avatar.ts'
import { badgeStyle } from './badge.ts'
import { base } from './base.ts'
import { buttonStyle } from './button.ts'
import { cardStyle } from './card.ts'
import { codeHitStyle } from './code-hits.ts'
import { codeStyle } from './code-lines.ts'
import { confirmationStyle } from './confirmation.ts'
import { filterFormStyle } from './filter-form.ts'
import { formFieldStyle } from './form-fields.ts'
import { iconStyle } from './icon.ts'
import { listStyle } from './lists.ts'
import { navigationStyle } from './navigation.ts'
import { pageLayoutStyle } from './page-layout.ts'
import { plotStyle } from './plot.ts'
import { profileHeaderStyle } from './profile-header.ts'
import { proseStyle } from './prose.ts'
import { scriptStyle } from './script-style.ts'
import { shownOnceStyle } from './shown-once.ts'
import { sideNavigationStyle } from './side-navigation.ts'
import { timelineStyle } from './timeline.ts'
import { tokens } from './tokens.ts'

/** The style of the components. */
export const designStyle = [
  tokens,
  base,
  iconStyle,
  pageLayoutStyle,
  buttonStyle,
  formFieldStyle,
  filterFormStyle,
  cardStyle,
  badgeStyle,
  avatarStyle,
  navigationStyle,
  listStyle,
  sideNavigationStyle,
  confirmationStyle,
  plotStyle,
  shownOnceStyle,
  profileHeaderStyle,
  codeHitStyle,
  proseStyle,
  timelineStyle,
  codeStyle,
  scriptStyle,
].join('')
