export { canonicalEmojiName, isEmojiName } from './emoji-names';
export { renderEmoji } from './render-emoji';
