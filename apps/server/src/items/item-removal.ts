export { type DoomedItems, removeItemLeavings } from '@stithy/store'
