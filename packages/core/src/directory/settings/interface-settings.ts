import {
  address,
  flag,
  fraction,
  longText,
  natural,
  number,
  numberChoice,
  optionalNumber,
  positive,
  type SettingTable,
} from './setting.ts'

/** What pages say, and where they lead. */
export const interfaceSettings = {
  home_page_url: address('Where visitors are sent who are not signed in.', { acts: true }),
  after_sign_out_path: address('Where users are sent after they signed out.', { acts: true }),
  sign_in_text: longText('Markdown on the sign-in page.', { acts: true }),
  help_text: longText('Text on the help page.', { tier: 'premium' }),
  help_page_text: longText('Markdown on the help page.'),
  help_page_support_url: address('Where users find support.'),
  help_page_hide_commercial_content: flag(false, 'Hides advertisements on the help page.'),
  hide_third_party_offers: flag(false, 'Hides offers of third parties.'),
  first_day_of_week: numberChoice([0, 1, 6], 0, '0 Sunday, 1 Monday, 6 Saturday.'),
  time_tracking_limit_to_hours: flag(false, 'Times are shown in hours, not in days or weeks.'),
  polling_interval_multiplier: fraction(1, {}, 'Factor of the intervals of polling; 0 for none.'),
  terminal_max_session_time: number(0, natural, 'Seconds of a web terminal; 0 for no limit.'),
  web_ide_clientside_preview_enabled: flag(false, 'The web IDE shows a preview.'),
  instance_statistics_visibility_private: flag(
    false,
    'Statistics of the instance are for administrators only.',
  ),
  performance_bar_allowed_group_id: optionalNumber(
    positive,
    'Group whose members see the performance bar; set by its path.',
  ),
} as const satisfies SettingTable
