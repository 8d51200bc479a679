export { default, Registry, World } from 'teebox/workers';
