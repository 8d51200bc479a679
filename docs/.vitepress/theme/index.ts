// The theme without its fonts: a reader's browser asks no other site, and no font of ours.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
