import { hash } from 'node:crypto'

/** The icon of the pages in tabs of browsers: an anvil, in the accent colour of light and of dark ones. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>path{fill:#1f5fbf}@media (prefers-color-scheme:dark){path{fill:#8ab4f8}}</style><path d="M5 3h10v3c-2.5 0-4 1-4 3v1h2v3H4v-3h2V9C6 7.3 3 7 1 4h4z"/></svg>
`

/** Path of the icon; it has a hash of the text, so browsers may keep it forever. */
export const iconPath = `/-/assets/icon-${hash('sha256', icon, 'hex').slice(0, 16)}.svg`
