int total = 0;
int add(int price) { return totl + price; }
