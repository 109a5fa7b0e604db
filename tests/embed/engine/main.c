int plugin_work(void);
int main(void) { return plugin_work() == 300 ? 0 : 1; }
