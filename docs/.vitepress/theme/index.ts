// The theme without its fonts: a reader's browser asks no other site, and no font of ours.
import theme from 'vitepress/theme-without-fonts';
// eslint-disable-next-line import/no-unassigned-import
import './style.css';

export default theme;
